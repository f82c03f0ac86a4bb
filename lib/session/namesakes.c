/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* namesakes.c - finds functions of a session that share their name with another one */
#include "session/namesakes.h"

#include <errno.h>
#include <string.h>

#include <kcatch_text.h>
#include "session/handle.h"
#include "session/trace_events.h"

#define SEVERAL 1	/* in the place of an address, which no function has */

void kcatch_namesakes_deinit(struct kcatch_namesakes *namesakes)
{
	kcatch_table_deinit(&namesakes->functions);
	kcatch_arena_deinit(&namesakes->names);
}

/* "module:name". NULL: no memory */
static char *make_key(struct kcatch_arena *arena, const char *module, const char *name,
		      size_t *length)
{
	size_t before = module ? strlen(module) : 0, behind = strlen(name);
	char *key = kcatch_arena_take(arena, before + 1 + behind);

	if (!key)
		return NULL;
	if (module)
		memcpy(key, module, before);
	key[before] = ':';
	memcpy(key + before + 1, name, behind);
	*length = before + 1 + behind;
	return key;
}

int kcatch_namesakes_add(struct kcatch_namesakes *namesakes, const char *module, const char *name,
			 uint64_t address)
{
	size_t length, *known;
	char *key = make_key(&namesakes->names, module, name, &length);
	int ret = key ? kcatch_table_add(&namesakes->functions, key, length, (size_t)address) :
			-ENOMEM;

	if (ret < 0)
		return kcatch_error_memory();
	if (ret) {
		known = kcatch_table_find(&namesakes->functions, key, length);
		if (known && *known != (size_t)address)
			*known = SEVERAL;
	}
	return 0;
}

int kcatch_namesakes_have(const struct kcatch_namesakes *namesakes, const char *module,
			  const char *name)
{
	struct kcatch_arena arena = { .chunks = NULL };
	size_t length = 0, *known = NULL;
	char *key = make_key(&arena, module, name, &length);

	if (key)
		known = kcatch_table_find(&namesakes->functions, key, length);
	kcatch_arena_deinit(&arena);
	return known && *known == SEVERAL;
}

int kcatch_namesakes_of(struct kcatch_session *session, const struct kcatch_probe *probe)
{
	struct kcatch_namesakes *namesakes = &session->armed.namesakes;
	uint32_t nr = (uint32_t)session->nr_slots;
	const struct kcatch_probe *each;
	int ret = kcatch_session_learn_names(session, namesakes->nr, nr - namesakes->nr);

	for (; !ret && namesakes->nr < nr; namesakes->nr++) {
		/* An event's name may be that of a module which has gone. */
		if (kcatch_event_slot(session->slots[namesakes->nr]))
			continue;
		ret = kcatch_session_probe(session, namesakes->nr, &each);
		if (!ret && each->function && !each->offset &&
		    each->mechanism != KCATCH_BY_TRACEPOINT && each->mechanism != KCATCH_BY_EVENT)
			ret = kcatch_namesakes_add(namesakes, each->module, each->function,
						   each->address);
		if (ret)
			break;
	}
	return ret ? ret : kcatch_namesakes_have(namesakes, probe->module, probe->function);
}
