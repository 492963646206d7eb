import { badge, spark } from 'content-space:kit/ui'
import { Badge } from 'content-space:kit/ui?as=react'

export const icons = [badge.src, spark.src, Badge]
