/** Internal files of undici, for which its own types are missing. */
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici'
}
declare module 'undici/lib/api/api-request.js' {
  const request: import('undici').Dispatcher['request']
  export default request
}
