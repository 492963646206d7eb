// Writes what the process has taken to file descriptor 3 when it ends. Its children that still run are counted too:
// esbuild works in one.
import { writeSync } from 'node:fs'
import process from 'node:process'
import { isMainThread } from 'node:worker_threads'
import { childrenTime } from './children.js'

// In a forked process, the file descriptor is another channel.
if (isMainThread && process.send === undefined)
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
    writeSync(3, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000 + childrenTime(), memory: maxRSS / 1024 }))
  })
