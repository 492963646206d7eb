import type { PutObjectCommandInput, S3Client } from '@aws-sdk/client-s3'
import { randomUUID } from 'node:crypto'
import { pipeline, Readable, Transform } from 'node:stream'
import { objectOf } from '../../text/json.js'
import { httpRefusal, maxListPages, refusal, type EngineCall, type RemoteEngine } from '../engine.js'
import { leaseFolder } from '../names.js'
import { bodyOf, sizeOfBody } from './body.js'
import { openGate } from './gate.js'
import { s3Leases, type LeaseObjects } from './s3-leases.js'

/** In bytes. Enough for a listing of a thousand names, or for an error. */
const maxReply = 4 * 1024 * 1024

/**
 * Opens a bucket of S3 or of a compatible server. The client reads region, endpoint and credentials from the usual
 * variables (`AWS_REGION`, `AWS_ENDPOINT_URL_S3`, `AWS_ACCESS_KEY_ID`, …), profiles and roles.
 * @param prefix the prefix of all names: empty, or ends in `/`
 */
export async function s3Engine(bucket: string, prefix: string): Promise<RemoteEngine> {
  // Import dynamically, because webpack resolves the static imports of its configuration, and the client may not be
  // installed.
  const sdk = await import('@aws-sdk/client-s3')
  const { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, ListObjectsV2Command, PutObjectCommand } = sdk
  const client = openClient(sdk)
  limitReplies(client)
  const gate = openGate()
  const place = (name: string) => ({ Bucket: bucket, Key: prefix + name })

  async function put(name: string, more: Partial<PutObjectCommandInput>, call: EngineCall, isUrgent = false) {
    const command = new PutObjectCommand({ ...place(name), ...more })
    // The signature would need the hash of the stream, which is unknown before sending. Readers verify entries anyway.
    command.middlewareStack.add(
      (next) => (args) => {
        const { request } = args
        if (more.Body instanceof Readable && isHttpRequest(request))
          request.headers['x-amz-content-sha256'] = 'UNSIGNED-PAYLOAD'
        return next(args)
      },
      { step: 'build' },
    )
    return gate.pass(call, () => client.send(command, { abortSignal: call.signal }), isUrgent)
  }

  const head = (name: string, call: EngineCall) =>
    gate.pass(call, () => client.send(new HeadObjectCommand(place(name)), { abortSignal: call.signal })).catch(absent)

  async function* objectsIn(start: string, call: EngineCall) {
    let ContinuationToken: string | undefined
    for (let count = 0; count < maxListPages; count++) {
      const command = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix + start, ContinuationToken })
      const page = await gate.pass(call, () => client.send(command, { abortSignal: call.signal })).catch(explain)
      for (const { Key = '', Size, ETag = '' } of page.Contents ?? [])
        yield { name: Key.slice(prefix.length), size: Size, etag: ETag }
      ContinuationToken = page.NextContinuationToken
      if (ContinuationToken === undefined) return
    }
    throw httpRefusal(undefined)
  }

  // If renewals had to wait for other requests, the leases would expire first.
  const isUrgent = true
  const leaseObjects: LeaseObjects = {
    async read(name, call) {
      const found = await head(name, call)
      return found && { etag: found.ETag ?? '', holder: found.Metadata?.['holder'] ?? '' }
    },
    async write(name, holder, condition, call) {
      const more = { Body: randomUUID(), Metadata: { holder }, ...condition }
      const written = await put(name, more, call, isUrgent).catch(conditionFailed)
      return written && (written.ETag ?? '')
    },
    async remove(name, call) {
      const command = new DeleteObjectCommand(place(name))
      await gate.pass(call, () => client.send(command, { abortSignal: call.signal }), isUrgent).catch(explain)
    },
    async list(call) {
      const etags = new Map<string, string>()
      for await (const { name, etag } of objectsIn(leaseFolder, call)) etags.set(name, etag)
      return etags
    },
  }

  return {
    async get(name, call) {
      const command = new GetObjectCommand(place(name))
      const found = await gate.pass(call, () => client.send(command, { abortSignal: call.signal })).catch(absent)
      return found?.Body instanceof Readable ? found.Body : undefined
    },
    has: async (name, call) => (await head(name, call)) !== undefined,
    async put(name, entry, call) {
      await put(name, { Body: await bodyOf(entry, call), ContentLength: sizeOfBody(entry) }, call).catch(explain)
    },
    leases: s3Leases(leaseObjects),
    list: objectsIn,
    close: () => client.destroy(),
  }
}

/** The minimum memory in bytes that a buffered chunk takes, however short it is. */
const chunkCost = 256

/** Limits the bytes of listings and errors, because the client buffers each one as a whole. Entries are streams. */
function limitReplies(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args)
        const { response } = result
        if (hasBody(response) && (commandName !== 'GetObjectCommand' || response.statusCode >= 300)) {
          let left = maxReply
          const limited = new Transform({
            transform(chunk: Buffer, _encoding, done) {
              left -= Math.max(chunk.length, chunkCost)
              if (left < 0) done(httpRefusal(undefined))
              else done(null, chunk)
            },
          })
          response.body = pipeline(response.body, limited, () => {})
        }
        return result
      },
    { step: 'deserialize', priority: 'low' },
  )
}

function hasBody(value: unknown): value is { body: Readable; statusCode: number } {
  return typeof value === 'object' && value !== null && 'body' in value && value.body instanceof Readable
}

function openClient(sdk: typeof import('@aws-sdk/client-s3')): S3Client {
  const endpoint = process.env['AWS_ENDPOINT_URL_S3'] || process.env['AWS_ENDPOINT_URL']
  return new sdk.S3Client({
    // Compatible servers often don't have a host name per bucket, and ignore the region.
    forcePathStyle: endpoint !== undefined && endpoint !== '',
    region: process.env['AWS_REGION'] || process.env['AWS_DEFAULT_REGION'] || 'us-east-1',
    // Older compatible servers don't support the checksums that newer clients send.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // When a busy store asks clients to slow down, the client increases the delay between requests.
    retryMode: 'adaptive',
    maxAttempts: 6,
    ...(endpoint !== undefined && endpoint !== '' && { endpoint }),
  })
}

function isHttpRequest(value: unknown): value is { headers: Record<string, string> } {
  return typeof value === 'object' && value !== null && 'headers' in value
}

function statusOf(error: unknown): number | undefined {
  return Number(objectOf(objectOf(error)['$metadata'])['httpStatusCode']) || undefined
}

/** Turns the error for a missing object into undefined. A missing bucket is a failure. */
function absent(error: unknown): undefined {
  const isBucket = error instanceof Error && error.name === 'NoSuchBucket'
  if (statusOf(error) !== 404 || isBucket) explain(error)
}

/** Returns false if the store doesn't support conditional writes, and undefined if the condition isn't met. */
function conditionFailed(error: unknown): false | undefined {
  const status = statusOf(error)
  if (status === 400 || status === 501) return false
  // 409 means that a concurrent request is in progress.
  if (status === undefined || ![404, 409, 412].includes(status)) explain(error)
  return undefined
}

function explain(error: unknown): never {
  if (error instanceof Error && error.name === 'CredentialsProviderError') throw refusal('no AWS credentials are set')
  const status = statusOf(error)
  throw status === undefined ? error : httpRefusal(status)
}
