/** The dependency rule of docs/architecture.md, as a function from sources to violations. */
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';

export interface SourceFile {
  /** From src/, with slashes: `core/http2/decoder.ts`. */
  path: string;
  text: string;
}

type Layer = 'shared' | 'core' | 'main' | 'electron' | 'preload' | 'renderer' | 'protos';

interface Rule {
  /** Layers whose files may be imported. */
  layers: readonly Layer[];
  /** Whether Node's own modules may be imported. */
  node: boolean;
  /** Which npm packages may be imported by the file at `path`. */
  packages(name: string, path: string): boolean;
}

/** The one file of the core that may import hpack.js. */
const HPACK_TABLES = 'core/hpack/tables.ts';

/** What the renderer is built from; a new library is added here on purpose. */
const UI_PACKAGES =
  /^(react|react-dom|zustand|@tanstack\/.+|uplot|radix-ui|@radix-ui\/.+|@base-ui\/.+|react-resizable-panels|lucide-react|@fontsource.*\/.+|birpc|cmdk|zod|@msgpack\/msgpack)$/;

const RULES: Record<Exclude<Layer, 'protos'>, Rule> = {
  shared: { layers: ['shared'], node: false, packages: () => false },
  core: {
    layers: ['core', 'shared'],
    node: false,
    packages: (name, path) => name === 'protobufjs' || (name === 'hpack.js' && path === HPACK_TABLES),
  },
  main: { layers: ['main', 'core', 'shared', 'protos'], node: true, packages: (name) => name !== 'electron' },
  electron: { layers: ['electron', 'main', 'core', 'shared', 'protos'], node: true, packages: () => true },
  preload: { layers: ['preload', 'shared'], node: false, packages: (name) => name === 'electron' },
  renderer: { layers: ['renderer', 'shared'], node: false, packages: (name) => UI_PACKAGES.test(name) },
};

/** One line for each import that the rule forbids or that cannot be checked. */
export function violations(files: readonly SourceFile[]): string[] {
  const paths = new Set(files.map(({ path }) => path));
  return files.flatMap(({ path, text }) => {
    const layer = layerOf(path);
    if (layer === undefined || layer === 'protos') return [`${path} is in no layer`];
    return importsOf(text).flatMap((specifier) => {
      const complaint = complain(path, RULES[layer], specifier, paths);
      return complaint === undefined ? [] : [`${path} imports ${specifier}: ${complaint}`];
    });
  });
}

/** The chain of files by which `entry` comes to import `target` (a package), or undefined: it never does. */
export function wayTo(target: string, entry: string, files: readonly SourceFile[]): string[] | undefined {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const seen = new Set([entry]);
  const ways = [[entry]];
  for (const way of ways) {
    const path = way.at(-1)!;
    for (const specifier of importsOf(byPath.get(path)?.text ?? '')) {
      if (!isRelative(specifier)) {
        if (packageName(specifier) === target) return [...way, specifier];
        continue;
      }
      const next = resolveRelative(path, specifier, byPath);
      if (next === undefined || seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return undefined;
}

/**
 * All module specifiers of a source: import and export statements (of types too), import() and require(). A call whose
 * argument is no plain string is `(computed)`, which no rule allows.
 */
export function importsOf(text: string): string[] {
  const code = withoutComments(text);
  const statements = code.matchAll(/(?<![\w$.'"`])(?:import|export)\b(?:[\w\s{},*$]*?\bfrom)?\s*(['"])([^'"\n]+)\1/g);
  const calls = code.matchAll(/(?<![\w$.])(?:import|require)\s*\(\s*(?:(['"`])([^'"`\n$]+)\1\s*[,)])?/g);
  return [
    ...Array.from(statements, ([, , specifier]) => specifier!),
    ...Array.from(calls, ([, , specifier]) => specifier ?? '(computed)'),
  ];
}

function complain(path: string, rule: Rule, specifier: string, paths: ReadonlySet<string>): string | undefined {
  if (specifier === '(computed)') return 'what it imports cannot be checked';
  if (isRelative(specifier)) return complainAboutFile(path, rule, specifier, paths);
  if (isBuiltin(specifier)) return rule.node ? undefined : 'no Node modules here';
  return rule.packages(packageName(specifier), path) ? undefined : 'this package has no place here';
}

function complainAboutFile(
  path: string,
  rule: Rule,
  specifier: string,
  paths: ReadonlySet<string>,
): string | undefined {
  const target = resolveRelative(path, specifier, paths);
  // Style sheets, pictures and .proto texts are the bundler's; they stand in a layer by their folder all the same.
  const layer = layerOf(target ?? posix.join(posix.dirname(path), withoutQuery(specifier)));
  if (layer === undefined) return 'it is outside src';
  if (target === undefined && !/\.(css|svg|png|json|woff2?|proto)$/.test(withoutQuery(specifier)))
    return 'there is no such file';
  return rule.layers.includes(layer) ? undefined : `${layer} is out of reach here`;
}

function layerOf(path: string): Layer | undefined {
  if (path === 'main/index.ts' || path.startsWith('main/electron/')) return 'electron';
  if (path.startsWith('../protos/')) return 'protos';
  const [top] = path.split('/');
  return (['shared', 'core', 'main', 'preload', 'renderer'] as const).find((layer) => layer === top);
}

function resolveRelative(path: string, specifier: string, paths: { has(path: string): boolean }): string | undefined {
  const base = posix.join(posix.dirname(path), withoutQuery(specifier));
  return [base, `${base}.ts`, `${base}.tsx`, `${base}.d.ts`, `${base}/index.ts`, `${base}/index.tsx`].find(
    (candidate) => paths.has(candidate),
  );
}

function isRelative(specifier: string): boolean {
  return specifier.startsWith('.');
}

/** Vite's `./tap-worker?modulePath` and the like. */
function withoutQuery(specifier: string): string {
  return specifier.replace(/\?.*$/, '');
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Comments become a space; strings and templates are passed over, so that `'http://…'` is no comment. */
function withoutComments(text: string): string {
  const token = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
  return text.replace(token, (found) => (found.startsWith('/') ? ' ' : found));
}
