import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../support/free-port.js'
import { listening, newFolder, stopProcess, type Engine } from './process.js'
import { startS3 } from './s3.js'

export type { Engine } from './process.js'

export const engineNames = ['redis', 'nginx', 's3'] as const

export type EngineName = (typeof engineNames)[number]

export const password = 'engine-Canary+Pass/1?'
export const bearer = 'engine-bearer-canary-token'

/** Starts the servers from `apt-get install redis-server nginx-light`, and s3rver from npm. */
export const engines: Record<EngineName, () => Promise<Engine>> = { redis: startRedis, nginx: startNginx, s3: startS3 }

export async function startRedis(...more: string[]): Promise<Engine> {
  const port = await freePort()
  const folder = await newFolder()
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no']
  const child = spawn('redis-server', [...options, '--requirepass', password, ...more], { stdio: 'ignore' })
  child.on('error', () => {})
  await listening(port, child)
  return {
    remote: `redis://:${encodeURIComponent(password)}@127.0.0.1:${port}`,
    signal: (name) => void child.kill(name),
    stop: stopProcess(child, folder),
    folder,
  }
}

/** Starts nginx with WebDAV and a bearer token. */
export async function startNginx(more = ''): Promise<Engine> {
  const port = await freePort()
  const folder = await newFolder()
  await mkdir(join(folder, 'data', 'cache'), { recursive: true })
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 512; }
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port};
    root ${folder}/data;
    client_max_body_size 0;
    location / {
      if ($http_authorization != "Bearer ${bearer}") { return 401; }
      dav_methods PUT;
      create_full_put_path on;
      ${more}
    }
  }
}
`,
  )
  const child = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', join(folder, 'error.log')], {
    stdio: 'ignore',
  })
  child.on('error', () => {})
  await listening(port, child)
  return {
    remote: `http://:${bearer}@127.0.0.1:${port}/cache`,
    signal: (name) => void child.kill(name),
    stop: stopProcess(child, folder),
    folder: join(folder, 'data', 'cache'),
  }
}
