import type { UsedAsset } from '../data.js'
import { bytes, count } from '../text.js'
import { PlaceList } from '../views/place-link.js'

/** Where the project uses an asset, and what that costs. */
export function UsageOf({ usage, isKitUsed }: { usage: UsedAsset | undefined; isKitUsed: boolean }) {
  const { places = [], files = [] } = usage ?? {}
  const known = files.filter((file) => file.bytes !== undefined)
  const total = known.reduce((sum, file) => sum + (file.bytes ?? 0), 0)
  return (
    <section class="detail-part">
      <h3>
        Usage
        {known.length > 0 && (
          <span class="count">
            {bytes(total)} in {count(known.length, 'file')}
          </span>
        )}
      </h3>
      {places.length === 0 && (
        <p class="quiet">
          {isKitUsed ? 'In the output, because the whole kit is imported.' : 'Not used by the project.'}
        </p>
      )}
      {places.length > 0 && <PlaceList places={places} />}
      {files.length > 0 && (
        <table class="files">
          <thead>
            <tr>
              <th scope="col">File</th>
              <th scope="col">Size</th>
            </tr>
          </thead>
          <tbody>
            {files.map((file) => (
              <tr key={file.query}>
                <td class="code">{file.query || 'original'}</td>
                <td>{file.bytes === undefined ? 'not made yet' : bytes(file.bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
