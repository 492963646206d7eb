import type { AssetData } from '../../../shared/kit-page/data.js'
import { Preview } from '../preview/preview.js'

/** A small preview in a list. */
export function Thumb({ asset }: { asset: AssetData | undefined }) {
  return <span class="thumb">{asset && <Preview asset={asset} />}</span>
}
