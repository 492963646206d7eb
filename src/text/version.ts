/** Returns a version of a kit as messages name it. @param version 0 is the draft */
export function versionText(version: number): string {
  return version === 0 ? 'draft' : `version ${version}`
}
