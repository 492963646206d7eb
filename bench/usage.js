// Writes the resources that the process has used to file descriptor 3 when it ends. Its children count too: esbuild
// runs in one, and others convert files.
import { readFileSync, writeSync } from 'node:fs'
import process from 'node:process'
import { isMainThread } from 'node:worker_threads'
import { childrenTime } from './children.js'

// In a forked process, the file descriptor belongs to another channel.
if (isMainThread && process.send === undefined)
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage()
    writeSync(3, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000 + childrenTime(), memory: peakMemory() }))
  })

/**
 * Returns the memory peak in MB. On Linux, `maxRSS` is at least the memory of the parent process, so we use it only on
 * other systems.
 */
function peakMemory() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1024
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024
}
