declare var images: { source: number; width: number; height: number }[]
