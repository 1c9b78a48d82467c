export const sections: { title: string; pages: string[] }[]
export const pagesElsewhere: Record<string, string>
export const unlistedFolders: string[]
