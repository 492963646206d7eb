/** Returns a version of a kit as messages name it. @param version 0 is the draft @param label may be empty */
export function versionText(version: number, label = ''): string {
  if (version === 0) return 'draft'
  return label === '' ? `version ${version}` : `version ${version} (${label})`
}
