import { workerData } from 'node:worker_threads'

// A thread next to a conversion that blocks its process. It ends the process when the parent is killed, which the
// blocked process would notice only afterwards. On Windows, `ppid` stays the same: the conversion runs to its end.
const parent: unknown = workerData
setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 500)
