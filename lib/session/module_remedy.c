/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * module_remedy.c - what makes the module loadable on this machine, for messages
 *
 * Who installed packages has no source directory, and who built from source has no DKMS: each
 * is told the commands that work there.
 */
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "session/module_remedy.h"

/* Where DKMS of Debian and of Ubuntu keep the certificate that modules are signed with. */
static const char *const certificates[] = { "/var/lib/dkms/mok.pub",
					    "/var/lib/shim-signed/mok/MOK.der" };

/* A file that Debian's package of the command has, and no other installation. */
static const char debian_package[] = "/usr/share/doc/kcatch/copyright";

static bool has_dkms_sources(void)
{
	glob_t found;
	bool has = !glob("/usr/src/kcatch-*/dkms.conf", GLOB_NOSORT, NULL, &found);

	globfree(&found);
	return has;
}

void kcatch_module_remedy(char *text, size_t room)
{
	struct utsname uts = { .release = "" };
	char headers[128];

	uname(&uts);
	snprintf(headers, sizeof(headers), "/lib/modules/%s/build", uts.release);
	if (!has_dkms_sources() && !access(debian_package, F_OK))
		snprintf(text, room, "apt-get install ./kcatch-dkms_*.deb linux-headers-%s (where "
			 "kcatch's packages are)", uts.release);
	else if (!has_dkms_sources())
		snprintf(text, room, "in kcatch's source directory: make install");
	else if (access(headers, F_OK))
		snprintf(text, room, "apt-get install linux-headers-%s (DKMS then builds the module)",
			 uts.release);
	else
		snprintf(text, room, "dkms autoinstall -k %s", uts.release);
}

void kcatch_signing_remedy(char *text, size_t room, const char *indent)
{
	size_t i;

	for (i = 0; i < sizeof(certificates) / sizeof(certificates[0]); i++) {
		if (access(certificates[i], F_OK))
			continue;
		snprintf(text, room, "%smokutil --import %s      (then reboot, choose \"Enroll MOK\")",
			 indent, certificates[i]);
		return;
	}
	snprintf(text, room,
		 "%sopenssl req -new -x509 -newkey rsa:2048 -nodes -days 3650 -outform DER "
		 "-subj '/CN=kcatch module key/' -keyout mok.key -out mok.der\n"
		 "%smokutil --import mok.der      (then reboot, choose \"Enroll MOK\")\n"
		 "%s/lib/modules/$(uname -r)/build/scripts/sign-file sha256 mok.key mok.der "
		 "$(modinfo -n kcatch)      (after each build)",
		 indent, indent, indent);
}
