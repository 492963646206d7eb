import marks from 'content-space:section/brand/logos?lazy'

/** Loads the URLs of the mark, from an asset and from a section. */
export async function loadMarks(): Promise<(string | undefined)[]> {
  const { default: mark } = await import('content-space:asset/brand/solvane-mark')
  return [mark.src, (await marks['solvane-mark']()).src]
}
