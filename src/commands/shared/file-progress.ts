import type { FileDescriptor } from '../../files/plan.js'
import type { ProgressEvent } from '../../progress.js'

type CountedFile = Pick<FileDescriptor, 'label' | 'size'>

/** The plan of a command for one version of a kit. */
interface FilePlan {
  kit: { name: string; version: number }
  files: readonly CountedFile[]
  /** The number of files to download. */
  downloads: number
  /** The number of files that are up to date. */
  reused: number
}

/** Reports a plan. @returns a function that reports each file after it has been written */
export function reportPlan(
  { kit: { name: kit, version }, files, downloads, reused }: FilePlan,
  onProgress: (event: ProgressEvent) => void,
): (file: CountedFile) => void {
  const total = files.length
  const totalBytes = files.reduce((sum, { size = 0 }) => sum + size, 0)
  onProgress({ type: 'plan', kit, version, files: total, bytes: totalBytes, downloads, reused })
  let [done, bytes] = [0, 0]
  return ({ label: name, size = 0 }) => {
    done++
    bytes += size
    onProgress({ type: 'file', kit, name, done, total, bytes, totalBytes })
  }
}
