import type { Agent, Dispatcher } from 'undici'
import { ContentSpaceError } from '../errors.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { isLoopback } from './http/redirect.js'

/** The parts of undici that we build agents from. */
type Undici = Pick<typeof import('undici'), 'Agent' | 'EnvHttpProxyAgent'>

/** The environment variables that name a proxy. The first one that is set applies. */
const variables = {
  'http:': ['http_proxy', 'HTTP_PROXY'],
  'https:': ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'],
} as const

/** Hosts that are always contacted directly, because this machine never needs a proxy to reach itself. */
const direct = ['localhost', '127.0.0.1', '[::1]']

/**
 * Returns the name of the variable with the proxy for a URL, or undefined without a proxy or if `NO_PROXY` lists the
 * host.
 */
export function proxyVariable(url: Pick<URL, 'protocol' | 'hostname'>): string | undefined {
  const names = url.protocol === 'https:' ? variables['https:'] : variables['http:']
  return isLoopback(url) ? undefined : names.find((name) => process.env[name])
}

/** Checks whether requests may go through a proxy. */
export function hasProxies(): boolean {
  return variables['https:'].some((name) => process.env[name])
}

/**
 * Creates an agent that uses the proxies of the environment. https requests pass through a tunnel, so a proxy never
 * sees their credentials. Plain http requests are sent to the proxy itself.
 * @throws ContentSpaceError `invalidOption` for a proxy that isn't a URL
 */
export function createAgent({ Agent: DirectAgent, EnvHttpProxyAgent }: Undici, options: Agent.Options): Dispatcher {
  if (!hasProxies()) return new DirectAgent(options)
  const own = process.env['no_proxy'] ?? process.env['NO_PROXY'] ?? ''
  return new EnvHttpProxyAgent({
    ...options,
    ...omitUndefined({ httpProxy: readProxy('http:'), httpsProxy: readProxy('https:') }),
    noProxy: own.trim() === '*' ? '*' : [own, ...direct].join(','),
    proxyTunnel: false,
    ...(typeof options.connect === 'object' && { proxyTls: options.connect }),
  })
}

function readProxy(protocol: keyof typeof variables): string | undefined {
  const name = variables[protocol].find((one) => process.env[one])
  const text = (name === undefined ? '' : (process.env[name] ?? '')).trim()
  if (name === undefined) return undefined
  // Like curl, accept a host and a port for a proxy that speaks http.
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`
  if (URL.canParse(url) && /^(?:https?|socks5?):$/.test(new URL(url).protocol)) return url
  // Don't quote the value, because it may contain a password.
  throw new ContentSpaceError('invalidOption', `${name} is not the URL of a proxy.`, {
    hint: 'Write it as http://proxy.example.com:3128, with user:password@ before the host if the proxy requires them.',
  })
}
