import { workerData } from 'node:worker_threads'

// A thread beside a conversion that occupies its process for long. When the parent is killed, the process hears of it
// only after the conversion. Windows keeps the id of a parent that has ended: there the conversion ends by itself.
const parent: unknown = workerData
setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 500)
