import { codes, ContentSpaceError, type ErrorCode } from '../../errors.js'

export interface Response {
  status: number
  headers: Record<string, string>
  body: Uint8Array
}

/** The service's own errors: what an envelope can hold. */
export type ServiceError = { [K in ErrorCode]: (typeof codes)[K] extends { service: number } ? K : never }[ErrorCode]

/** The interface leaves open which HTTP status comes with which error. */
const statuses = {
  unknown: 500,
  serverError: 500,
  invalidParams: 400,
  unauthorized: 401,
  permissionDenied: 403,
  objectNotFound: 404,
  rateLimited: 429,
  kitNotFound: 404,
  versionNotFound: 404,
  sectionNotFound: 404,
  assetNotFound: 404,
  fileCutUnavailable: 404,
} as const satisfies Record<ServiceError, number>

export const serviceErrors = Object.keys(statuses).filter(isServiceError)

export function success(result: unknown, headers: Record<string, string> = {}): Response {
  return envelope(200, { success: true, result }, headers)
}

export function failure(code: ServiceError, message: string, headers: Record<string, string> = {}): Response {
  return envelope(statuses[code], { success: false, error: { code: codes[code].service, message } }, headers)
}

/**
 * What went wrong, in the service's terms: a picture that cannot be converted has no such cut; our own trouble is 99.
 */
export function failureOf(error: unknown): Response {
  if (!(error instanceof ContentSpaceError)) return failure('serverError', 'Something went wrong in the server.')
  if (error.code === 'conversionFailed') return failure('fileCutUnavailable', error.message)
  return failure(isServiceError(error.code) ? error.code : 'serverError', error.message)
}

export function isServiceError(name: string): name is ServiceError {
  return Object.hasOwn(statuses, name)
}

const mediaTypes: Readonly<Record<string, string>> = {
  SVG: 'image/svg+xml',
  JPG: 'image/jpeg',
  PNG: 'image/png',
  GIF: 'image/gif',
  EPS: 'application/postscript',
  PDF: 'application/pdf',
  TIFF: 'image/tiff',
  WEBP: 'image/webp',
  AVIF: 'image/avif',
}

/** Content comes from people: a browser that opens it directly neither guesses its type nor runs its scripts. */
export function file(type: string, bytes: Uint8Array): Response {
  const headers = {
    'content-type': mediaTypes[type] ?? 'application/octet-stream',
    'x-content-type-options': 'nosniff',
    'content-security-policy': 'sandbox',
  }
  return { status: 200, headers, body: bytes }
}

function envelope(status: number, content: object, headers: Record<string, string>): Response {
  const body = Buffer.from(JSON.stringify({ ...content, server_clock: Math.floor(Date.now() / 1000) }))
  return { status, headers: { 'content-type': 'application/json; charset=utf-8', ...headers }, body }
}
