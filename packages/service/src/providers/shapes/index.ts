export * from './annotations.js'
export {
  EndpointShape,
  type FormShape,
  type InputNode,
  type PriceMode,
  type ShapeDescription,
} from './endpoint-shape.js'
