/** Whether a process of this machine is still there. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Not allowed to signal it means that it is there.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
