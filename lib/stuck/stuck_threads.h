/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* stuck_threads.h - threads that do not make progress: the public interface, and its parts */
#ifndef LIB_STUCK_STUCK_THREADS_H
#define LIB_STUCK_STUCK_THREADS_H

#include <kcatch_stuck.h>

#include "stuck/kernel_locks.h"
#include "stuck/task_list.h"
#include "stuck/user_locks.h"
#include "stuck/deadlock.h"

#endif
