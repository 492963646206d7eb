import { mediaType } from '../../space/asset-type.js'
import type { LargeFile } from '../../space/folder/bytes.js'
import { codes, ContentSpaceError, summaryAndHint, type ErrorCode } from '../../errors.js'
import { isKeyOf, keysOf } from '../../text/keys.js'

export interface Response {
  status: number
  headers: Record<string, string>
  body: Uint8Array | LargeFile
}

/** The errors that an envelope can contain. */
export type ServiceError = { [K in ErrorCode]: (typeof codes)[K] extends { service: number } ? K : never }[ErrorCode]

/** The HTTP status that we send with each error. The REST interface doesn't define statuses. */
export const statuses = {
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
  deprecatedAction: 410,
  deprecatedApi: 410,
  featureUnavailable: 403,
  fileTooLarge: 413,
  fileNotValid: 400,
  fileNotAccepted: 400,
  assetReferenceDenied: 403,
  kitAlreadyExists: 409,
  kitNotAccepted: 400,
  sectionAlreadyExists: 409,
  sectionNotAccepted: 400,
  assetAlreadyExists: 409,
  assetNotAccepted: 400,
  itemAlreadyExists: 409,
  itemNotAccepted: 400,
} as const satisfies Record<ServiceError, number>

export const serviceErrors = keysOf(statuses)

export function success(result: unknown, headers: Record<string, string> = {}): Response {
  return envelope(200, { success: true, result }, headers)
}

export function failure(code: ServiceError, message: string, headers: Record<string, string> = {}): Response {
  return envelope(statuses[code], { success: false, error: { code: codes[code].service, message } }, headers)
}

/**
 * Converts an error to an error of the interface. If a picture can't be converted, the error is a missing cut. Any
 * other failure of the server is error 99.
 */
export function failureOf(error: unknown): Response {
  if (!(error instanceof ContentSpaceError)) return failure('serverError', 'The server failed.')
  if (error.code === 'conversionFailed') return failure('fileCutUnavailable', summaryAndHint(error))
  return failure(isKeyOf(statuses, error.code) ? error.code : 'serverError', summaryAndHint(error))
}

/**
 * Sends a file. Content isn't trusted, so a browser that opens it directly must not guess its type or run its scripts.
 */
export function file(type: string, body: Response['body']): Response {
  const headers = {
    'content-type': mediaType(type),
    'x-content-type-options': 'nosniff',
    'content-security-policy': 'sandbox',
  }
  return { status: 200, headers, body }
}

function envelope(status: number, content: object, headers: Record<string, string>): Response {
  const body = Buffer.from(JSON.stringify({ ...content, server_clock: Math.floor(Date.now() / 1000) }))
  return { status, headers: { 'content-type': 'application/json; charset=utf-8', ...headers }, body }
}
