/*
 * We load `node:crypto` with the first digest instead of with this module. Otherwise, loading it would add a tenth to
 * the time that unplugin takes to load when a bundler starts.
 */

/** @returns hexadecimal digits */
export function sha256(data: string | Uint8Array): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(data).digest('hex')
}

/** @returns hexadecimal digits */
export function hmacSha256(key: string | Uint8Array, data: string): string {
  return process.getBuiltinModule('node:crypto').createHmac('sha256', key).update(data).digest('hex')
}

export function randomKey(): Uint8Array {
  return process.getBuiltinModule('node:crypto').randomBytes(32)
}
