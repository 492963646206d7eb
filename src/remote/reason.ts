/**
 * Creates the error of an engine that refuses a call.
 * @param reason is printed in a warning. It contains no text of the engine, which may repeat credentials.
 */
export function refusal(reason: string): Error {
  return Object.assign(new Error(reason), { reason })
}

export function httpRefusal(status: number | undefined): Error {
  return refusal(status === undefined ? 'its response was invalid' : `it answered with HTTP status ${status}`)
}

/** Describes an error of an engine without its message, which may contain an address or credentials. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  // Codes of Node, such as ECONNREFUSED, CERT_HAS_EXPIRED or UND_ERR_SOCKET. Errors of certificates have a reason, too,
  // with names that the server has sent.
  if (typeof code === 'string' && /^[A-Z][A-Z\d_]{2,40}$/.test(code)) return code
  const reason = error instanceof Error && 'reason' in error ? error.reason : undefined
  return typeof reason === 'string' ? reason : 'the connection failed'
}
