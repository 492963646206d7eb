import type { ResolvedOptions } from '../config/options.js'
import type { ProgressEvent } from '../progress.js'
import { countText, sizeText, versionText } from '../text/quantities.js'

export type PlanEvent = Extract<ProgressEvent, { type: 'plan' }>
export type FileEvent = Extract<ProgressEvent, { type: 'file' }>

const barWidth = 12

/** Formats progress, such as `████░░░░░░░░ 123 of 412 files, 11.2 MB of 38 MB`. */
export function barText({ done, total, bytes, totalBytes }: FileEvent): string {
  const filled = Math.round((done / total) * barWidth)
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled)
  return `${bar} ${done} of ${total} files, ${sizeText(bytes)} of ${sizeText(totalBytes)}`
}

/** Formats the pace, such as `3.4 MB/s, 8 s left, 88 reused`. */
export function paceText({ done, total, bytes }: FileEvent, plan: PlanEvent, seconds: number): string {
  const remaining = seconds * (total / done - 1)
  const reused = plan.reused + plan.files - plan.downloads
  return [
    `${sizeText(Math.round(bytes / Math.max(seconds, 0.001)))}/s`,
    `${Math.ceil(remaining)} s left`,
    ...(reused > 0 ? [`${reused} reused`] : []),
  ].join(', ')
}

/**
 * Formats a line such as `Brand (version 3): 412 files, 38 MB, 21 % of the download limit; 88 files are up to date`.
 */
export function planLine(
  { kit, version, files, bytes, downloads, reused }: PlanEvent,
  { rateLimit, space }: ResolvedOptions,
): string {
  const limit =
    'address' in space && rateLimit && downloads > 0
      ? [`${Math.ceil((downloads / rateLimit.requests) * 100)} % of the download limit`]
      : []
  const cached = files > downloads ? [`${files - downloads} from the cache`] : []
  const work =
    files === 0 ? 'no files to write' : [countText(files, 'file'), sizeText(bytes), ...limit, ...cached].join(', ')
  const rest = reused === 0 ? '' : `; ${countText(reused, 'file is', 'files are')} up to date`
  return `${kit} (${versionText(version)}): ${work}${rest}`
}
