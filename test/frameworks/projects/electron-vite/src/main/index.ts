import { fileURLToPath } from 'node:url'
import icon from 'content-space:asset/brand/app-icon?cut=png'
import { app, BrowserWindow } from 'electron'

await app.whenReady()
const window = new BrowserWindow({
  icon: fileURLToPath(icon.src),
  webPreferences: { preload: fileURLToPath(new URL('../preload/index.mjs', import.meta.url)) },
})
await window.loadFile(fileURLToPath(new URL('../renderer/index.html', import.meta.url)))
