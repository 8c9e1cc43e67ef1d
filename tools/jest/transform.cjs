// As babel-jest does for users: ES modules, those of node_modules included, become CommonJS.
const { transformSync } = require('esbuild');

module.exports = {
  process: (source, path) => {
    const { code } = transformSync(source, { format: 'cjs', platform: 'node', sourcefile: path });
    return { code };
  },
};
