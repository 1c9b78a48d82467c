export * from './annotations.js'
export {
  EndpointShape,
  type FormShape,
  type Place,
  type PriceMode,
  type ShapeDescription,
} from './endpoint-shape.js'
