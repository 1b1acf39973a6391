// @ts-check
import { inflateRawSync } from 'node:zlib';

/** Reads one file of a zip archive, for which Node has no reader. @param {Buffer} zip @param {string} name */
export function readZipEntry(zip, name) {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06'));
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [size, nameLength] = [zip.readUInt32LE(at + 20), zip.readUInt16LE(at + 28)];
    if (zip.toString('utf8', at + 46, at + 46 + nameLength) === name) {
      const local = zip.readUInt32LE(at + 42);
      const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const content = zip.subarray(start, start + size);
      return zip.readUInt16LE(at + 10) === 0 ? content : inflateRawSync(content);
    }
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  throw new Error(`The archive has no ${name}.`);
}
