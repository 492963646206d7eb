/*
 * `node:crypto` is loaded with the first digest and not with this module, because when a bundler starts, it would take
 * a tenth of unplugin's own loading time.
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
