// A script that travels packed: raw DEFLATE (RFC 1951) in base64, a third of its size in every notebook that holds a graph.
const unpack = (packed, size) => {
  const source = Uint8Array.from(atob(packed), (char) => char.charCodeAt(0)), out = new Uint8Array(size);
  let read = 0, written = 0, held = 0, count = 0;
  const hold = (wanted) => { while (count < wanted) { held |= source[read++] << count; count += 8; } };
  const bits = (wanted) => {
    hold(wanted);
    const value = held & ((1 << wanted) - 1);
    held >>>= wanted;
    count -= wanted;
    return value;
  };
  const tree = (lengths) => {  // canonical Huffman as a table: the next bits → symbol and length of its code
    const width = Math.max(1, ...lengths), table = new Uint16Array(1 << width), next = new Uint16Array(17);
    for (const length of lengths) if (length) next[length + 1]++;
    for (let length = 1; length < 17; length++) next[length] = (next[length] + next[length - 1]) << 1;
    lengths.forEach((length, symbol) => {
      if (!length) return;
      let code = next[length]++, mirrored = 0;
      for (let i = 0; i < length; i++, code >>= 1) mirrored = (mirrored << 1) | (code & 1);
      for (let at = mirrored; at < table.length; at += 1 << length) table[at] = (symbol << 4) | length;
    });
    return [width, table];
  };
  const symbol = ([width, table]) => {
    hold(width);
    const found = table[held & ((1 << width) - 1)], length = found & 15;
    held >>>= length;
    count -= length;
    return found >> 4;
  };
  const bases = (extras, start) => extras.map((extra) => { const base = start; start += 1 << extra; return base; });
  const lengthExtras = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
  const farExtras = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13];
  const lengthBases = bases(lengthExtras, 3), farBases = bases(farExtras, 1);
  lengthBases[28] = 258;
  const fixed = () => {
    const lengths = Array(288).fill(8);
    lengths.fill(9, 144, 256).fill(7, 256, 280);
    return [tree(lengths), tree(Array(30).fill(5))];
  };
  const dynamic = () => {
    const literals = bits(5) + 257, fars = bits(5) + 1, given = bits(4) + 4, own = Array(19).fill(0), lengths = [];
    for (let i = 0; i < given; i++) own[[16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15][i]] = bits(3);
    const codes = tree(own);
    while (lengths.length < literals + fars) {
      const code = symbol(codes);
      if (code < 16) lengths.push(code);
      else {
        const again = code === 16 ? lengths.at(-1) : 0;
        const times = code === 16 ? 3 + bits(2) : code === 17 ? 3 + bits(3) : 11 + bits(7);
        for (let i = 0; i < times; i++) lengths.push(again);
      }
    }
    return [tree(lengths.slice(0, literals)), tree(lengths.slice(literals))];
  };
  for (let last = 0; !last;) {
    last = bits(1);
    const kind = bits(2);
    if (kind === 0) {
      read -= count >> 3;  // whole bytes that were held too early
      held = count = 0;
      const size = source[read] | (source[read + 1] << 8);
      out.set(source.subarray(read + 4, read + 4 + size), written);
      read += 4 + size;
      written += size;
      continue;
    }
    const [codes, distances] = kind === 1 ? fixed() : dynamic();
    for (let code = symbol(codes); code !== 256; code = symbol(codes)) {
      if (code < 256) { out[written++] = code; continue; }
      const length = lengthBases[code - 257] + bits(lengthExtras[code - 257]), far = symbol(distances);
      const distance = farBases[far] + bits(farExtras[far]);
      for (let i = 0; i < length; i++, written++) out[written] = out[written - distance];
    }
  }
  return new TextDecoder().decode(out);
};
const script = document.createElement("script");
script.textContent = unpack("/*PACKED*/", /*SIZE*/0);
document.head.append(script);
