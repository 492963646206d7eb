import { readdirSync, readFileSync } from 'node:fs'

/** The milliseconds per unit of time in Linux's `/proc/…/stat`. */
const tick = 10

/** Returns the processor time of all children, running and ended, in milliseconds. Only Linux provides it. */
export function childrenTime() {
  try {
    const tasks = readdirSync('/proc/self/task').map((task) => `/proc/self/task/${task}/children`)
    const children = tasks.flatMap((file) => readFileSync(file, 'utf8').split(' ').filter(Boolean))
    const threads = children.flatMap((child) =>
      readdirSync(`/proc/${child}/task`).map((task) => `${child}/task/${task}`),
    )
    const times = threads.map((thread) => Number(readFileSync(`/proc/${thread}/schedstat`, 'utf8').split(' ')[0]))
    return times.reduce((sum, time) => sum + time, 0) / 1e6 + endedTime()
  } catch {
    return 0
  }
}

/**
 * Returns the processor time of ended children and their children in milliseconds: `cutime` and `cstime` in
 * proc_pid_stat(5).
 */
function endedTime() {
  const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ')
  const [user, system] = fields.split(' ').slice(13, 15).map(Number)
  return (user + system) * tick
}
