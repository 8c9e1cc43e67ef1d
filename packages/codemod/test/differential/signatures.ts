/** Finds what can be called in a module, and makes up arguments for it. */
import { parse } from '@babel/parser';
import type { ClassBody, Expression, File, Node, ObjectExpression, Statement } from '@babel/types';
import type { SourceFile } from './evaluate.js';

/** Something that can be called. */
export interface Callable {
  /** The name of the declaration. */
  readonly name: string;
  /** The name in a class or an object. */
  readonly member: string | undefined;
  readonly kind: 'function' | 'object' | 'class' | 'static';
  readonly parameters: readonly Node[];
  /** The parameters of the constructor. */
  readonly construction?: readonly Node[];
}

function read({ path, source }: SourceFile): File {
  const typed = /\.[cm]?tsx?$/.test(path);
  const jsx = !/\.[cm]?ts$/.test(path);
  return parse(source, {
    sourceType: 'unambiguous',
    plugins: [...(typed ? (['typescript'] as const) : []), ...(jsx ? (['jsx'] as const) : [])],
  });
}

function inClass(name: string, { body }: ClassBody): readonly Callable[] {
  const construction = body.flatMap((member) =>
    member.type === 'ClassMethod' && member.kind === 'constructor' ? member.params : [],
  );
  return body.flatMap((member) => {
    if (member.type !== 'ClassMethod' || member.kind !== 'method') return [];
    if (member.key.type !== 'Identifier') return [];
    const kind = member.static ? 'static' : 'class';
    return [
      { name, member: member.key.name, kind, parameters: member.params, construction } as const,
    ];
  });
}

function inObject(name: string, { properties }: ObjectExpression): readonly Callable[] {
  return properties.flatMap((property) => {
    if (property.type === 'SpreadElement' || property.key.type !== 'Identifier') return [];
    const member = property.key.name;
    const parameters =
      property.type === 'ObjectMethod' ? property.params : parametersOf(property.value);
    return parameters ? [{ name, member, kind: 'object', parameters } as const] : [];
  });
}

function parametersOf(value: Node | null | undefined): readonly Node[] | undefined {
  const isFunction =
    value?.type === 'ArrowFunctionExpression' || value?.type === 'FunctionExpression';
  return isFunction ? value.params : undefined;
}

function inValue(name: string, value: Expression | null | undefined): readonly Callable[] {
  if (value?.type === 'ObjectExpression') return inObject(name, value);
  const parameters = parametersOf(value);
  return parameters ? [{ name, member: undefined, kind: 'function', parameters }] : [];
}

function inStatement(statement: Statement): readonly Callable[] {
  switch (statement.type) {
    case 'FunctionDeclaration':
      return statement.id
        ? [
            {
              name: statement.id.name,
              member: undefined,
              kind: 'function',
              parameters: statement.params,
            },
          ]
        : [];
    case 'ClassDeclaration':
      return statement.id ? inClass(statement.id.name, statement.body) : [];
    case 'VariableDeclaration':
      return statement.declarations.flatMap(({ id, init }) =>
        id.type === 'Identifier' ? inValue(id.name, init) : [],
      );
    case 'ExportNamedDeclaration':
      return statement.declaration ? inStatement(statement.declaration) : [];
    case 'ExportDefaultDeclaration': {
      const { declaration } = statement;
      const declared =
        declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration';
      return declared ? inStatement(declaration) : [];
    }
    default:
      return [];
  }
}

/** The constants of a module that are neither functions nor objects: some hold the promise of a request. */
export function constantsOf(file: SourceFile): readonly string[] {
  return read(file).program.body.flatMap((statement) => {
    const inner = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (inner?.type !== 'VariableDeclaration') return [];
    return inner.declarations.flatMap(({ id, init }) =>
      id.type === 'Identifier' && init && !inValue(id.name, init).length ? [id.name] : [],
    );
  });
}

/** Every function of a module that has a name, and every method of its objects and classes. */
export function callablesOf(file: SourceFile): readonly Callable[] {
  return read(file).program.body.flatMap(inStatement);
}

const RECORD = {
  id: 7,
  _id: 'u7',
  name: 'Ada',
  title: 'Notes',
  email: 'ada@example.com',
  slug: 'ada',
  kind: 'note',
};

// Has every member; unknown ones hold their own name.
function record(): unknown {
  return new Proxy<Record<string, unknown>>(
    { ...RECORD },
    {
      get: (target, key, receiver) => {
        const absent = typeof key === 'symbol' || key === 'then' || key === 'toJSON';
        return absent || key in target ? Reflect.get(target, key, receiver) : key;
      },
    },
  );
}

const BY_NAME: readonly (readonly [RegExp, () => unknown])[] = [
  [/(config|options|opts)$/i, () => ({})],
  [/signal$/i, () => new AbortController().signal],
  [/^(controller|abort)/i, () => new AbortController()],
  [
    /(body|data|payload|input|values|changes|user|item|post|todo|book|order|member|record|entity|props|params|query|filters?|dto|form)$/i,
    () => record(),
  ],
  [/(page|offset|count|size|number|year)$/i, () => 3],
  // Milliseconds, or how many: enough of both.
  [/(limit|ms|milliseconds|timeout|delay)$/i, () => 3000],
  [/^(is|has|with)[A-Z]|flag|enabled|active$/, () => true],
  [/(ids|tags|items|list|names)$/i, () => ['x']],
  [
    /^(on[A-Z]|set[A-Z]|cb|callback|done|resolve|dispatch|next|show|render|log|report|track)/,
    () => () => undefined,
  ],
];

function byType(type: Node | null | undefined): unknown {
  const annotation = type?.type === 'TSTypeAnnotation' ? type.typeAnnotation : undefined;
  switch (annotation?.type) {
    case 'TSStringKeyword':
      return 'a1';
    case 'TSNumberKeyword':
      return 7;
    case 'TSBooleanKeyword':
      return true;
    default:
      return undefined;
  }
}

function argumentFor(parameter: Node): unknown {
  switch (parameter.type) {
    case 'Identifier': {
      const typed = byType(parameter.typeAnnotation);
      if (typed !== undefined) return typed;
      const found = BY_NAME.find(([pattern]) => pattern.test(parameter.name));
      return found ? found[1]() : 'a1';
    }
    case 'TSParameterProperty':
      return argumentFor(parameter.parameter);
    case 'AssignmentPattern':
      return argumentFor(parameter.left);
    case 'ObjectPattern':
      return Object.fromEntries(
        parameter.properties.flatMap((property) =>
          property.type === 'ObjectProperty' && property.key.type === 'Identifier'
            ? [[property.key.name, argumentFor(property.value)]]
            : [],
        ),
      );
    default:
      return undefined;
  }
}

/** Arguments as a caller might give them. */
export function argumentsFor(parameters: readonly Node[]): readonly unknown[] {
  return parameters.map(argumentFor);
}
