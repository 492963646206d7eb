import type { Copy, UsedAsset } from '../../../shared/kit-page/data.js'
import { bytes, count } from '../text.js'
import { CopyList, PlaceList } from '../views/place-link.js'

interface UsageOfProperties {
  usage: UsedAsset | undefined
  copies: readonly Copy[]
  isKitUsed: boolean
}

/** Where the project uses an asset, and how many bytes that adds. */
export function UsageOf({ usage, copies, isKitUsed }: UsageOfProperties) {
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
          {isKitUsed ? 'In the output, because the whole kit is imported.' : 'Not imported by the project.'}
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
      {copies.length > 0 && (
        <>
          <h4>
            Copies <span class="count">{copies.length}</span>
          </h4>
          <CopyList copies={copies} />
        </>
      )}
    </section>
  )
}
