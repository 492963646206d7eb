import { join } from 'node:path'

/** Returns the paths of the files that `readEnvironment` reads. They may not exist. */
export function environmentFiles(folders: readonly string[], mode: string): string[] {
  const names = ['.env', '.env.local', `.env.${mode}`, `.env.${mode}.local`]
  return [...new Set(folders)].flatMap((folder) => names.map((name) => join(folder, name)))
}
