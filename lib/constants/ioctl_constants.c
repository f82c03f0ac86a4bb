/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* ioctl_constants.c - names of ioctl()'s commands, from the kernel's headers for programs */
#include <stdio.h>

#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/ioctl.h>
#include <linux/loop.h>
#include <linux/sockios.h>

#include "constants/constant_sets.h"

#define N(name)                        \
	{                              \
#name, (int64_t)(name) \
	}
#define LIST(...) ((const struct kcatch_constant[]){ __VA_ARGS__, { NULL, 0 } })

/* As the macros that made the number: _IOR('f', 1, 8). One without any of their parts is none. */
static void put_ioctl(uint32_t number, char *text, size_t room)
{
	static const char *const macros[] = { "_IO", "_IOW", "_IOR", "_IOWR" };
	const uint32_t type = _IOC_TYPE(number), size = _IOC_SIZE(number);
	char letter[8];

	*text = '\0';
	if (!type)
		return;
	if (type > ' ' && type <= '~' && type != '\'' && type != '\\')
		snprintf(letter, sizeof(letter), "'%c'", (char)type);
	else
		snprintf(letter, sizeof(letter), "0x%x", type);
	if (!_IOC_DIR(number) && size)
		snprintf(text, room, "_IOC(_IOC_NONE, %s, %u, %u)", letter, _IOC_NR(number), size);
	else if (!_IOC_DIR(number))
		snprintf(text, room, "_IO(%s, %u)", letter, _IOC_NR(number));
	else
		snprintf(text, room, "%s(%s, %u, %u)", macros[_IOC_DIR(number)], letter,
			 _IOC_NR(number), size);
}

/*
 * Of all files, terminals, disks, file systems and networks. A driver may have the number of
 * another one for something else: the file tells whose it is.
 */
const struct kcatch_constants kcatch_constants_ioctl = {
	.field = KCATCH_CONSTANT_VALUES,
	.values = LIST(
		N(FIOCLEX), N(FIONCLEX), N(FIONBIO), N(FIOASYNC), N(FIONREAD), N(FIOQSIZE),
		N(TCGETS), N(TCSETS), N(TCSETSW), N(TCSETSF), N(TCGETS2), N(TCSETS2), N(TCSETSW2),
		N(TCSETSF2), N(TCGETA), N(TCSETA), N(TCSBRK), N(TCSBRKP), N(TCXONC), N(TCFLSH),
		N(TIOCEXCL), N(TIOCNXCL), N(TIOCSCTTY), N(TIOCNOTTY), N(TIOCGPGRP), N(TIOCSPGRP),
		N(TIOCGSID), N(TIOCOUTQ), N(TIOCSTI), N(TIOCGWINSZ), N(TIOCSWINSZ), N(TIOCMGET),
		N(TIOCMSET), N(TIOCMBIS), N(TIOCMBIC), N(TIOCGSERIAL), N(TIOCSSERIAL), N(TIOCGETD),
		N(TIOCSETD), N(TIOCGPTN), N(TIOCSPTLCK), N(TIOCGPTPEER), N(TIOCPKT), N(TIOCGEXCL),
		N(BLKROGET), N(BLKROSET), N(BLKRRPART), N(BLKGETSIZE), N(BLKFLSBUF), N(BLKRAGET),
		N(BLKRASET), N(BLKSSZGET), N(BLKBSZGET), N(BLKBSZSET), N(BLKGETSIZE64),
		N(BLKDISCARD), N(BLKIOMIN), N(BLKIOOPT), N(BLKALIGNOFF), N(BLKPBSZGET),
		N(BLKSECDISCARD), N(BLKROTATIONAL), N(BLKZEROOUT), N(FIBMAP), N(FIGETBSZ),
		N(FIFREEZE), N(FITHAW), N(FITRIM), N(FICLONE), N(FICLONERANGE), N(FIDEDUPERANGE),
		N(FS_IOC_GETFLAGS), N(FS_IOC_SETFLAGS), N(FS_IOC_GETVERSION), N(FS_IOC_SETVERSION),
		N(FS_IOC_FIEMAP), N(FS_IOC_FSGETXATTR), N(FS_IOC_FSSETXATTR), N(FS_IOC_GETFSLABEL),
		N(FS_IOC_SETFSLABEL), N(LOOP_SET_FD), N(LOOP_CLR_FD), N(LOOP_SET_STATUS),
		N(LOOP_GET_STATUS), N(LOOP_SET_STATUS64), N(LOOP_GET_STATUS64),
		N(LOOP_CTL_GET_FREE), N(SIOCGIFNAME), N(SIOCGIFCONF), N(SIOCGIFFLAGS),
		N(SIOCSIFFLAGS), N(SIOCGIFADDR), N(SIOCSIFADDR), N(SIOCGIFNETMASK),
		N(SIOCSIFNETMASK), N(SIOCGIFMTU), N(SIOCSIFMTU), N(SIOCGIFHWADDR), N(SIOCSIFHWADDR),
		N(SIOCGIFINDEX), N(SIOCETHTOOL), N(SIOCADDRT), N(SIOCDELRT), N(SIOCATMARK)),
	.put_other = put_ioctl,
};
