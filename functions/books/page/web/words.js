const words = {};
