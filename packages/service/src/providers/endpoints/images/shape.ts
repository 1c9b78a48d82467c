import {
  type Annotations,
  EndpointShape,
  type ShapeDescription,
  setting,
  settings,
  text,
} from '../../shapes/index.js'

const request: Annotations = {
  prompt: text,
  model: setting,
  n: { ...setting, limits: 'choices', field: 'count' },
  size: setting,
  quality: setting,
  style: setting,
  response_format: setting,
  output_format: setting,
  output_compression: { ...setting, field: 'count' },
  background: setting,
  moderation: setting,
  stream: { ...setting, field: 'flag' },
  partial_images: { ...setting, field: 'count' },
  user: setting,
}

// Each image counts as the most tokens that one image of the model can have: no request can lower that.
const images: ShapeDescription = {
  request,
  output: 'unlimited',
  isSimple: true,
  hasNoToolsOrReferences: true,
  price: { modes: ['image'], unit: 'image' },
}

export const generationsShape = new EndpointShape(images)

/** Edits and variations: forms with images. */
export const editsShape = new EndpointShape({
  ...images,
  request: {
    ...request,
    image: { ...settings, field: 'file' },
    'image[]': { field: 'files' },
    mask: { ...settings, field: 'file' },
  },
  isForm: true,
})
