// @ts-check

/**
 * YAML with marks, and the expressions of Helm that replace the marks. An object can thus be changed as an object, and then written as a
 * template.
 */
export class Template {
  /** @type {((indent: string, key: string) => string)[]} */
  #writers = [];

  /** @param {(indent: string, key: string) => string} writer */
  #mark(writer) {
    return `⟦${this.#writers.push(writer) - 1}⟧`;
  }

  /** Writes one value of the template. @param {string} expression */
  value(expression) {
    return this.#mark((indent, key) => `${indent}${key}{{ ${expression} }}`);
  }

  /** Writes a list or object. @param {string} expression */
  block(expression) {
    return this.#mark(
      (indent, key) =>
        `${indent}${key.trimEnd()}\n${indent}  {{- toYaml (${expression}) | nindent ${indent.length + 2} }}`,
    );
  }

  /** Writes a property that is left out when its value is empty. @param {string} expression */
  optional(expression) {
    return this.#mark(
      (indent, key) =>
        `${indent}{{- with ${expression} }}\n${indent}${key.trimEnd()}\n${indent}  {{- toYaml . | nindent ${indent.length + 2} }}\n${indent}{{- end }}`,
    );
  }

  /** Writes further items of a list. @param {string} expression */
  items(expression) {
    return this.#mark(
      (indent) => `${indent}{{- with ${expression} }}{{ toYaml . | nindent ${indent.length} }}{{- end }}`,
    );
  }

  /** @param {string} yaml */
  text(yaml) {
    return yaml
      .replaceAll('{{', '{{ "{{" }}')
      .split('\n')
      .map((line) => {
        const [, indent = '', key = '', index] = /^(\s*)(.*?)"?⟦(\d+)⟧"?$/.exec(line) ?? [];
        return index === undefined ? line : (this.#writers[Number(index)]?.(indent, key) ?? line);
      })
      .join('\n');
  }
}
