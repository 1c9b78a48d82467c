import { cx } from './class-names'

const upper =
  'M3 10.2V5.5A1.5 1.5 0 0 1 4.5 4h15A1.5 1.5 0 0 1 21 5.5v4.7l-2.25 1.9-2.25-1.9-2.25 1.9-2.25-1.9-2.25 1.9-2.25-1.9-2.25 1.9z'
const lower =
  'M3 14.6v3.9A1.5 1.5 0 0 0 4.5 20h15a1.5 1.5 0 0 0 1.5-1.5v-3.9l-2.25 1.9-2.25-1.9-2.25 1.9-2.25-1.9-2.25 1.9-2.25-1.9-2.25 1.9z'

/** The two halves of a tally stick. They touch if `closed` is set: in the product logo and on a verified record. */
export function Logo({
  size = 22,
  closed = false,
  className,
}: {
  size?: number
  closed?: boolean
  className?: string
}) {
  return (
    <svg
      aria-hidden
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      strokeWidth="1.8"
      strokeLinejoin="round"
      className={cx('shrink-0 overflow-visible', className)}
    >
      <path
        d={upper}
        stroke="currentColor"
        className="transition-transform duration-500"
        style={{ transform: closed ? 'translateY(1.1px)' : 'none' }}
      />
      <path
        d={lower}
        stroke={closed ? 'currentColor' : 'var(--accent)'}
        className="transition-transform duration-500"
        style={{ transform: closed ? 'translateY(-1.1px)' : 'none' }}
      />
    </svg>
  )
}
