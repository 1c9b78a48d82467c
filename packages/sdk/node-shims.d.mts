export const nodeShims: { 'node:buffer': string; 'node:crypto': string }
