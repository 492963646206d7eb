import { solvaneMark } from 'content-space:kit/brand'
import { contextBridge } from 'electron'

contextBridge.exposeInMainWorld('mark', solvaneMark.src)
