const firstBytes = 8 * 1024

/**
 * Writes messages of the database's protocol one after the other into one piece of memory. The driver makes a buffer of
 * each; a batch has dozens, and handing dozens of buffers to the system costs more than all that is written into them.
 */
export class MessageWriter {
  #buffer = Buffer.allocUnsafe(firstBytes)
  #end = 0
  /** Where the length of the message stands that is being written. */
  #lengthAt = 0

  parse(name: string, text: string): void {
    this.#begin('P')
    this.#string(name)
    this.#string(text)
    this.#int16(0)
    this.#finish()
  }

  /** Strings go in the text format, bytes as they are; whatever comes back is asked for as text. */
  bind(name: string, values: readonly (string | Buffer | null)[]): void {
    this.#begin('B')
    this.#string('')
    this.#string(name)
    this.#int16(values.length)
    for (const value of values) this.#int16(Buffer.isBuffer(value) ? 1 : 0)
    this.#int16(values.length)
    for (const value of values) this.#value(value)
    this.#int16(0)
    this.#finish()
  }

  /** Asks for the names and types of the columns that the bound statement gives back. */
  describe(): void {
    this.#begin('D')
    this.#byte('P')
    this.#string('')
    this.#finish()
  }

  execute(): void {
    this.#begin('E')
    this.#string('')
    this.#int32(0)
    this.#finish()
  }

  closeStatement(name: string): void {
    this.#begin('C')
    this.#byte('S')
    this.#string(name)
    this.#finish()
  }

  sync(): void {
    this.#begin('S')
    this.#finish()
  }

  /** All that was written. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#end)
  }

  #begin(type: string): void {
    this.#byte(type)
    this.#lengthAt = this.#end
    this.#int32(0)
  }

  #finish(): void {
    this.#buffer.writeInt32BE(this.#end - this.#lengthAt, this.#lengthAt)
  }

  #value(value: string | Buffer | null): void {
    const lengthAt = this.#end
    this.#int32(-1)
    if (value === null) return
    if (typeof value === 'string') this.#text(value)
    else this.#raw(value)
    this.#buffer.writeInt32BE(this.#end - lengthAt - 4, lengthAt)
  }

  #raw(bytes: Buffer): void {
    this.#makeRoom(bytes.length)
    this.#end += bytes.copy(this.#buffer, this.#end)
  }

  /** Ends with a zero byte, as names and statements do. */
  #string(text: string): void {
    this.#text(text)
    this.#byte('\0')
  }

  #text(text: string): void {
    // No character of a string takes more than three bytes.
    this.#makeRoom(text.length * 3)
    this.#end += this.#buffer.write(text, this.#end)
  }

  #byte(character: string): void {
    this.#makeRoom(1)
    this.#end = this.#buffer.writeUInt8(character.charCodeAt(0), this.#end)
  }

  #int16(value: number): void {
    this.#makeRoom(2)
    this.#end = this.#buffer.writeUInt16BE(value, this.#end)
  }

  #int32(value: number): void {
    this.#makeRoom(4)
    this.#end = this.#buffer.writeInt32BE(value, this.#end)
  }

  #makeRoom(bytes: number): void {
    const needed = this.#end + bytes
    if (needed <= this.#buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2))
    this.#buffer.copy(larger, 0, 0, this.#end)
    this.#buffer = larger
  }
}
