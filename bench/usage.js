// Writes what the process has taken to file descriptor 3 when it ends. Its children are counted too: esbuild works in one,
// and files are converted in others.
import { readFileSync, writeSync } from 'node:fs'
import process from 'node:process'
import { isMainThread } from 'node:worker_threads'
import { childrenTime } from './children.js'

// In a forked process, the file descriptor is another channel.
if (isMainThread && process.send === undefined)
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage()
    writeSync(3, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000 + childrenTime(), memory: peakMemory() }))
  })

/**
 * Returns the peak of memory in MB. `maxRSS` is not less than the memory of the process that started this one on Linux,
 * so it is only used on other systems.
 */
function peakMemory() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1024
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024
}
