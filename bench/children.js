import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds of the unit of time in `/proc/…/stat` of Linux. */
const tick = 10

/** Returns milliseconds of processor time of all children, running and ended. Systems other than Linux do not tell. */
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

/** Returns milliseconds of children that have ended, and of theirs: `cutime` and `cstime` of proc_pid_stat(5). */
function endedTime() {
  const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ')
  const [user, system] = fields.split(' ').slice(13, 15).map(Number)
  return (user + system) * tick
}
