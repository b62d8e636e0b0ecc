/** A field of a row. */
export interface Field { name: string; type: "u8" | "u16" | "u32" | "u64"; count?: number }
/** The rows below one cell of resolution 9; offset counts from the start of the file. */
export interface Chunk { cell: string; rows: number; offset: number; bytes: number; digest: string }
export interface Section {
  layer: string; encoding: "zstd"; record_bytes: number; fields: Field[]; rows: number; offset: number; length: number; sha256: string; chunks: Chunk[];
  /** Of observations: what they are, whom to name and under which licence. */
  origin?: { layer: string; source: string; license: string; license_url: string; date: string };
}
export interface Header {
  format: 1 | 2; kg_code: string; generation: string; stichtag: string; dict?: string; pending_kgs: string[]; sections: Section[]; start: number; end: number;
}
export type Column = string[] | Uint8Array | Uint16Array | Uint32Array;
export type Columns = { rows: number } & Record<string, number | Column | Column[]>;

export declare const MAGIC: "NECELLS1";
export declare const LU_CLASSES: string[];
export declare const FIELDS: { lu: Field[]; bev: Field[] };
export declare class CellsError extends Error {}
export declare function ready(): Promise<void>;
export declare function sha256(bytes: Uint8Array): Promise<string>;
export declare function digest(rows: Uint8Array): Promise<string>;
export declare function dictId(dict?: Uint8Array): Promise<string>;
export declare function frontLength(b: Uint8Array): number;
export declare function readFront(b: Uint8Array): Header;
export declare function frames(b: Uint8Array): { bytes: Uint8Array; content: number }[];
export declare function unpack(frame: Uint8Array, dict?: Uint8Array, most?: number): Promise<Uint8Array>;
export declare function readChunk(
  file: Uint8Array | ((offset: number, length: number) => Promise<Uint8Array>), section: Section, chunk: Chunk, dict?: Uint8Array,
): Promise<Uint8Array>;
export declare function readContainer(file: Uint8Array, dict?: Uint8Array): Promise<{ header: Header; layers: Record<string, Columns> }>;
export declare function columns(rows: Uint8Array, fields: Field[]): Columns;
export declare function readFrames(bytes: Uint8Array, dict?: Uint8Array, fields?: Field[], digests?: Iterable<string>): Promise<Uint8Array>;
