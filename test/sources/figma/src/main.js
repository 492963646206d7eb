import { badge, spark } from 'content-space:kit/ui'

export const icons = [badge.src, spark.src]
