/** Limits for findings with names: a file can contain any number of names, of any length. */
const limits = { count: 50, length: 60 }

/** Adds a finding that contains a name of the file. */
export function addNamed(findings: Set<string>, text: string): void {
  if (findings.size >= limits.count) return
  findings.add(text.length > limits.length ? `${text.slice(0, limits.length)}…` : text)
}
