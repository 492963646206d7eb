import { ContentSpaceError } from '../../errors.js'
import type { Session } from '../session/session.js'

/**
 * Returns the file of an id in a style sheet or a page, and several sizes of it if the id requests them.
 * @param place the file that contains the id, for errors
 * @throws ContentSpaceError `invalidId` if the id isn't an asset with a file; `invalidQuery` if it requests a pair
 */
export async function filesOfId(session: Session, id: string, place: string) {
  const plan = await session.plan(id, place)
  if (plan?.src === undefined) throw noAddress(id, place)
  if (/[?&]dark=/.test(id)) throw onePicture(id, place)
  const { src: file, srcset = [] } = plan
  for (const used of [file, ...srcset.map((entry) => entry.file)]) session.origins.addFile(used, place, id)
  session.sourceChanged(place)
  return { file, srcset }
}

function onePicture(id: string, place: string): ContentSpaceError {
  return new ContentSpaceError('invalidQuery', `${id} requests two pictures, but only one can be used here.`, {
    hint:
      'Use a pair in a rule of a style sheet, or in <img> and <source> of a page. Elsewhere, write each asset with ' +
      'media (prefers-color-scheme: dark).',
    import: id,
    importer: place,
  })
}

/** Hints for ids without a URL, by kind. */
const hints: Record<string, string> = {
  asset: 'It is data, such as a color. For colors, write tokens to a style sheet: option tokens.',
  'app-icons':
    'In pages, <link rel="icon"> takes it with Vite, webpack, Rspack and Farm. Elsewhere: npx content-space app-icons.',
}

function noAddress(id: string, place: string): ContentSpaceError {
  return new ContentSpaceError('invalidId', `${id} has no address, because it is not an asset with a file.`, {
    hint: hints[id.split(/[:/]/)[1] ?? ''] ?? 'Write content-space:asset/<kit>/<asset>.',
    import: id,
    importer: place,
  })
}
