import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type PutObjectCommandInput,
} from '@aws-sdk/client-s3'
import { Readable } from 'node:stream'
import type { S3Address } from '../address.js'
import { maxListPages, type EngineCall, type RemoteEngine } from '../engine.js'
import { leaseFolder } from '../names.js'
import { httpRefusal } from '../reason.js'
import { bodyOf, sizeOf } from './body.js'
import { s3Leases, type LeaseObjects } from './s3-leases.js'

/**
 * A bucket of S3 or of a compatible server. The client reads region, endpoint and credentials from the usual variables
 * (`AWS_REGION`, `AWS_ENDPOINT_URL_S3`, `AWS_ACCESS_KEY_ID`, …), profiles and roles.
 */
export function s3Engine({ bucket, prefix }: S3Address): RemoteEngine {
  const client = openClient()
  const place = (name: string) => ({ Bucket: bucket, Key: prefix + name })

  async function put(name: string, more: Partial<PutObjectCommandInput>, { signal }: EngineCall) {
    const command = new PutObjectCommand({ ...place(name), ...more })
    // The signature would need the hash of a stream, which is not known before it is sent. Readers verify entries.
    command.middlewareStack.add(
      (next) => (args) => {
        const { request } = args
        if (more.Body instanceof Readable && isHttpRequest(request))
          request.headers['x-amz-content-sha256'] = 'UNSIGNED-PAYLOAD'
        return next(args)
      },
      { step: 'build' },
    )
    return client.send(command, { abortSignal: signal })
  }

  async function* objectsIn(start: string, { signal }: EngineCall) {
    let ContinuationToken: string | undefined
    for (let count = 0; count < maxListPages; count++) {
      const command = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix + start, ContinuationToken })
      const page = await client.send(command, { abortSignal: signal }).catch(explain)
      for (const { Key = '', Size, ETag = '' } of page.Contents ?? [])
        yield { name: Key.slice(prefix.length), size: Size, etag: ETag }
      ContinuationToken = page.NextContinuationToken
      if (ContinuationToken === undefined) return
    }
    throw httpRefusal(undefined)
  }

  const leaseObjects: LeaseObjects = {
    async read(name, { signal }) {
      const found = await client.send(new GetObjectCommand(place(name)), { abortSignal: signal }).catch(absent)
      return found && { etag: found.ETag ?? '', text: (await found.Body?.transformToString()) ?? '' }
    },
    async write(name, text, condition, call) {
      const headers = condition === undefined ? { IfNoneMatch: '*' } : { IfMatch: condition }
      const written = await put(name, { Body: text, ...headers }, call).catch(conditionFailed)
      return written && (written.ETag ?? '')
    },
    async remove(name, { signal }) {
      await client.send(new DeleteObjectCommand(place(name)), { abortSignal: signal }).catch(explain)
    },
    async list(call) {
      const etags = new Map<string, string>()
      for await (const { name, etag } of objectsIn(leaseFolder, call)) etags.set(name, etag)
      return etags
    },
  }

  return {
    async get(name, { signal }) {
      const found = await client.send(new GetObjectCommand(place(name)), { abortSignal: signal }).catch(absent)
      return found?.Body instanceof Readable ? found.Body : undefined
    },
    async has(name, { signal }) {
      const found = await client.send(new HeadObjectCommand(place(name)), { abortSignal: signal }).catch(absent)
      return found !== undefined
    },
    async put(name, entry, call) {
      await put(name, { Body: await bodyOf(entry, call), ContentLength: sizeOf(entry) }, call).catch(explain)
    },
    leases: s3Leases(leaseObjects),
    list: objectsIn,
    close: () => client.destroy(),
  }
}

function openClient(): S3Client {
  const endpoint = process.env['AWS_ENDPOINT_URL_S3'] || process.env['AWS_ENDPOINT_URL']
  return new S3Client({
    // Compatible servers often have no names for buckets, and ignore the region.
    forcePathStyle: endpoint !== undefined && endpoint !== '',
    region: process.env['AWS_REGION'] || process.env['AWS_DEFAULT_REGION'] || 'us-east-1',
    // Older compatible servers do not know the checksums that newer clients send.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    ...(endpoint !== undefined && endpoint !== '' && { endpoint }),
  })
}

function isHttpRequest(value: unknown): value is { headers: Record<string, string> } {
  return typeof value === 'object' && value !== null && 'headers' in value
}

function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined
  const metadata: unknown = error.$metadata
  return typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata
    ? Number(metadata.httpStatusCode) || undefined
    : undefined
}

/** A missing object is no failure; a missing bucket is. */
function absent(error: unknown): undefined {
  const isBucket = error instanceof Error && error.name === 'NoSuchBucket'
  if (statusOf(error) !== 404 || isBucket) explain(error)
}

/** Returns false if the store has no conditional writes, and undefined if the condition is not met. */
function conditionFailed(error: unknown): false | undefined {
  const status = statusOf(error)
  if (status === 400 || status === 501) return false
  // 409: another request is about to decide it.
  if (status === undefined || ![404, 409, 412].includes(status)) explain(error)
  return undefined
}

function explain(error: unknown): never {
  const status = statusOf(error)
  throw status === undefined ? error : httpRefusal(status)
}
